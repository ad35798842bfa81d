! Each processing element (PE) passes a number around the ring, once for each PE, and all add up
! what they have seen. OpenSHMEM's functions are called through the interfaces of C, which every
! version of it has; its own Fortran interface went with version 1.4.
module shmem
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine shmem_init() bind(C, name='shmem_init')
    end subroutine
    subroutine shmem_finalize() bind(C, name='shmem_finalize')
    end subroutine
    integer(c_int) function shmem_my_pe() bind(C, name='shmem_my_pe')
      import :: c_int
    end function
    integer(c_int) function shmem_n_pes() bind(C, name='shmem_n_pes')
      import :: c_int
    end function
    subroutine shmem_barrier_all() bind(C, name='shmem_barrier_all')
    end subroutine
    subroutine shmem_put32(dest, source, count, pe) bind(C, name='shmem_put32')
      import :: c_int, c_size_t, c_int32_t
      integer(c_int32_t) :: dest(*)
      integer(c_int32_t), intent(in) :: source(*)
      integer(c_size_t), value :: count
      integer(c_int), value :: pe
    end subroutine
  end interface
end module

program ring
  use shmem
  implicit none
  integer, parameter :: length = 1000
  ! Other PEs write to it.
  integer(c_int32_t), save, volatile :: box(length)
  integer(c_int32_t) :: mine(length), expected
  integer :: me, pes, round
  integer(8) :: total

  call shmem_init()
  me = shmem_my_pe()
  pes = shmem_n_pes()
  mine = me
  total = 0
  do round = 1, pes
    call pass(mod(me + 1, pes))
    total = total + sum(int(mine, 8))
  end do
  expected = pes * (pes - 1) / 2
  if (total /= int(expected, 8) * length) error stop 'wrong sum'
  if (me == 0) print '(a,i0)', 'verified, sum ', total
  call shmem_finalize()

contains

  ! Gives what this PE has to the next one, and takes what the previous one had.
  subroutine pass(next)
    integer, intent(in) :: next
    call shmem_put32(box, mine, int(length, c_size_t), next)
    call shmem_barrier_all()
    mine = box
    call shmem_barrier_all()
  end subroutine

end program

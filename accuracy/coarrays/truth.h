! What the coarray programs with known waiting times share: statements with time stamps around them, and the module with
! what they call. The stamps are taken by truth.c, and image 1 prints what each image lost when the program is over.

module truth
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env
  implicit none

  ! Of all programs; those that are watched while they run have more.
#ifdef ROUNDS
  integer, parameter :: rounds = ROUNDS
#else
  integer, parameter :: rounds = 4
#endif

  ! Data of the operations. Each image waits for its own event; locks are those of image 1.
  integer :: total = 1, large(100000) = 1 ! that does not go on its way before it is wanted
  type(event_type) :: event[*]
  type(lock_type) :: locks(4)[*]

  interface
    subroutine work(milliseconds) bind(C, name='truth_work')
      import :: c_double
      real(c_double), value :: milliseconds
    end subroutine

    ! The image will stand still from `after` to `until` milliseconds from now, wherever it is then.
    subroutine hold_up(after, until) bind(C, name='truth_hold_up')
      import :: c_double
      real(c_double), value :: after, until
    end subroutine

    subroutine truth_begin(image, images) bind(C)
      import :: c_int
      integer(c_int), value :: image, images
    end subroutine

    subroutine truth_plan(name, milliseconds) bind(C)
      import :: c_char, c_double
      character(kind=c_char), intent(in) :: name(*)
      real(c_double), value :: milliseconds
    end subroutine

    subroutine truth_name_place(number, name) bind(C)
      import :: c_char, c_int
      integer(c_int), value :: number
      character(kind=c_char), intent(in) :: name(*)
    end subroutine

    subroutine set_place(number) bind(C, name='truth_set_place')
      import :: c_int
      integer(c_int), value :: number
    end subroutine

    subroutine truth_before_sync_images(count, images) bind(C)
      import :: c_int
      integer(c_int), value :: count
      integer(c_int), intent(in) :: images(*)
    end subroutine

    subroutine truth_before_group(count, images, root) bind(C)
      import :: c_int
      integer(c_int), value :: count, root
      integer(c_int), intent(in) :: images(*)
    end subroutine
  end interface

  abstract interface
    subroutine without_arguments() bind(C)
    end subroutine
    subroutine of_number(number) bind(C)
      import :: c_int
      integer(c_int), value :: number
    end subroutine
  end interface

  procedure(without_arguments), bind(C) :: truth_forget_file, truth_end
  procedure(without_arguments), bind(C) :: truth_before_barrier, truth_after_barrier
  procedure(without_arguments), bind(C) :: truth_before_gather_all, truth_before_allocation, truth_after_collective
  procedure(without_arguments), bind(C) :: truth_after_lock, truth_after_event_wait, truth_after_sync_images, truth_after_group
  procedure(of_number), bind(C) :: truth_before_broadcast, truth_before_reduce
  procedure(of_number), bind(C) :: truth_before_lock, truth_before_attempt, truth_after_attempt, truth_before_unlock
  procedure(of_number), bind(C) :: truth_before_event_wait, truth_before_post

contains

  ! The program is written to lose this to a pattern, summed over its images.
  subroutine plan(pattern, milliseconds)
    character(len=*), intent(in) :: pattern
    real(c_double), intent(in) :: milliseconds

    call truth_plan(pattern//c_null_char, milliseconds)
  end subroutine

  ! The call path of a place that set_place says.
  subroutine name_place(number, path)
    integer, intent(in) :: number
    character(len=*), intent(in) :: path

    call truth_name_place(number, path//c_null_char)
  end subroutine
end module

! The statements are macros, so that they stand at the line, and in the procedure, that uses them.

#define BARRIER call truth_before_barrier(); sync all; call truth_after_barrier()

#define BROADCAST(root) call truth_before_broadcast(root); call co_broadcast(total, root); call truth_after_collective()
#define LARGE_BROADCAST(root) call truth_before_broadcast(root); call co_broadcast(large, root); call truth_after_collective()
#define SUM call truth_before_gather_all(); call co_sum(total); call truth_after_collective()
#define MAXIMUM call truth_before_gather_all(); call co_max(total); call truth_after_collective()
#define SUM_ON(root) call truth_before_reduce(root); call co_sum(total, root); call truth_after_collective()
#define LARGE_SUM_ON(root) call truth_before_reduce(root); call co_sum(large, root); call truth_after_collective()
#define MINIMUM_ON(root) call truth_before_reduce(root); call co_min(total, root); call truth_after_collective()

#define ALLOCATE_COARRAY(a) call truth_before_allocation(); allocate(a); call truth_after_collective()
#define DEALLOCATE_COARRAY(a) call truth_before_allocation(); deallocate(a); call truth_after_collective()

#define LOCK_IT(i) call truth_before_lock(i); lock(locks(i)[1]); call truth_after_lock()
#define TRY_LOCK(i, got) call truth_before_attempt(i); lock(locks(i)[1], acquired_lock=got); call truth_after_attempt(merge(1, 0, got))
#define UNLOCK_IT(i) call truth_before_unlock(i); unlock(locks(i)[1])
#define CRITICAL call truth_before_lock(0); critical; call truth_after_lock()
#define END_CRITICAL call truth_before_unlock(0); end critical

#define AWAIT_EVENT(units) call truth_before_event_wait(units); event wait(event, until_count=units); call truth_after_event_wait()
#define POST_EVENT(image) call truth_before_post(image); event post(event[image])

#define SYNC_IMAGES(set) call truth_before_sync_images(size(set), set); sync images(set); call truth_after_sync_images()
#define SYNC_IMAGES_ALL call truth_before_sync_images(0, [1]); sync images(*); call truth_after_sync_images()

! In a team of these images, which have their numbers among all; the root is such a number, too.
#define OF_TEAM(set, root) call truth_before_group(size(set), set, root)
#define TEAM_BARRIER(set) OF_TEAM(set, 0); sync all; call truth_after_group()
#define TEAM_SUM(set) OF_TEAM(set, 0); call co_sum(total); call truth_after_group()
#define TEAM_BROADCAST(set, root, number) OF_TEAM(set, root); call co_broadcast(total, number); call truth_after_group()
#define FORM_TEAM(set, number, variable) OF_TEAM(set, 0); form team(number, variable); call truth_after_group()
#define CHANGE_TEAM(set, variable) OF_TEAM(set, 0); change team (variable); call truth_after_group()
#define END_TEAM(set) OF_TEAM(set, 0); end team; call truth_after_group()

! Begins and ends a program; the latter comes right before its end, after the plan was stated.
#define BEGIN call truth_begin(this_image(), num_images()); BARRIER; call truth_forget_file()
#define FINISH call truth_end()
